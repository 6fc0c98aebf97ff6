// One function compiled for several vector units, chosen when the program starts.
#pragma once

// The library is compiled without contraction to fused multiply-add, so wider vectors change the speed, never
// a bit. Only g++ on x86-64 has the mechanism; sanitizers do not get along with it.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(VINCULUM_NO_CLONES)
#define VINCULUM_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define VINCULUM_CLONES
#endif
