// A small motion with everything a file of results can hold, and a folder of its own for each test.
#pragma once
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "vinculum/io/write_file.hpp"
#include "vinculum/motion/simulate.hpp"

namespace vinculum::test {

/// A folder that disappears with all that is in it.
class Folder {
 public:
  Folder() {
    static int number = 0;
    path_ = std::filesystem::temp_directory_path() /
            ("vinculum-" + std::to_string(getpid()) + "-" + std::to_string(number++));
    std::filesystem::create_directory(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string operator/(const std::string& name) const { return path_ / name; }
  int files() const {
    return static_cast<int>(std::distance(std::filesystem::directory_iterator(path_), {}));
  }

 private:
  std::filesystem::path path_;
};

inline std::string read(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// A rod stated twice, a vector equation, friction, outputs that are not always finite, an event.
inline Model model() {
  Model m;
  const Coordinate x = m.coordinate("x", {1, 0}), y = m.coordinate("y", {0, 0.3});
  m.mass(x, 1.0);
  m.mass(y, 1.0);
  const Particle p = m.particle("p", {1.0, {0, 0, 1}});
  m.force(y, -9.81);
  m.constrain("rod", x * x + y * y, 1.0);
  m.constrain("again", 2 * x * x + 2 * y * y, 2.0);
  m.constrain("pin", p.position(), Vector{0.0, 0.0, 1.0});
  m.nonideal(x, -0.1 * x.rate());
  m.output("root", sqrt(-y - 0.1));
  m.output("place", p.position());
  m.event("low", x, Model::Direction::falling);
  return m;
}

inline RunRecord record() {
  return {"A \"rod\", twice",
          "two lines\nof text",
          "models/rod.toml",
          "title = \"rod\"\n# \xc3\xa9\n",
          "0.1.0",
          {{"until", "1"}, {"tolerance", "1e-09"}, {"set L", "1"}}};
}

inline Trajectory move(const System& system, double until = 1.0) {
  MotionOptions o;
  o.until = until;
  return simulate(system, o);
}

}  // namespace vinculum::test
