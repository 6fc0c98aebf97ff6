// The umbrella header alone; what version the headers and the library are of; an error of the library,
// caught.
#include <cstdio>
#include <vinculum/vinculum.hpp>

int main() {
  vinculum::Model model;
  const vinculum::Coordinate x = model.coordinate("x");
  const bool multiplies = (x * x.rate()).op() == vinculum::Op::multiply;
  std::printf("x*x' is %s\n", multiplies ? "a product" : "something else");
  std::printf("version %s, headers %d, library %d\n", vinculum::version().data(), vinculum::header_version,
              vinculum::version_number());
  try {
    model.coordinate("x");
  } catch (const vinculum::Error& error) {
    std::printf("%s\n", error.what());
    return multiplies ? 0 : 1;
  }
  return 2;
}
