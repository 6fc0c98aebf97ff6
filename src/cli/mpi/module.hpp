// What the program asks of MPI. It is a module of its own, loaded where mpirun has started several processes,
// so that the program starts without MPI everywhere else. Plain C between the two: they share no library.
#pragma once

extern "C" {
struct VinculumMpi {
  int rank, count;
  void (*send)(int to, const char* bytes, long size);  // takes a copy, and does not wait
  long (*next)(int* from);                             // the size of a message that has come, or -1
  void (*receive)(int from, char* bytes, long size);   // that message
  void (*finish)();                                    // when all have sent all they had
};
/// 0 where all went well.
using VinculumMpiBegin = int (*)(VinculumMpi*);
}
