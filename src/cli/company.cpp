#include "cli/company.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "cli/mpi/module.hpp"
#include "vinculum/base/error.hpp"

namespace vinculum::cli {
namespace {

namespace fs = std::filesystem;

/// How many processes were started, by what those who start them leave in the environment: Open MPI, then
/// MPICH, Intel MPI and Slurm.
int started_processes() {
  for (const char* const name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"})
    if (const char* const text = std::getenv(name)) {
      const std::string_view said = text;
      int count = 1;
      std::from_chars(said.data(), said.data() + said.size(), count);
      return count;
    }
  return 1;
}

/// Beside the program, as it is built, or where it was installed.
void* open_module(std::string& why) {
  std::error_code ignored;
  const fs::path here = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  why = "this vinculum was built without MPI, or its vinculum_mpi.so is not beside it";
  for (const fs::path& path : {here / "vinculum_mpi.so", here.parent_path() / VINCULUM_LIBRARY_FOLDER /
                                                             "vinculum" / "vinculum_mpi.so"}) {
    if (!fs::exists(path, ignored)) continue;
    if (void* const module = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL)) return module;
    why = dlerror();
  }
  return nullptr;
}

class MpiRanks final : public Ranks {
 public:
  explicit MpiRanks(const VinculumMpi& mpi) : mpi_(mpi) {}
  ~MpiRanks() override { mpi_.finish(); }
  int rank() const override { return mpi_.rank; }
  int count() const override { return mpi_.count; }
  void send(int to, std::string bytes) override {
    mpi_.send(to, bytes.data(), static_cast<long>(bytes.size()));
  }
  std::optional<Message> receive() override {
    Message message;
    const long size = mpi_.next(&message.from);
    if (size < 0) return std::nullopt;
    message.bytes.resize(static_cast<std::size_t>(size));
    mpi_.receive(message.from, message.bytes.data(), size);
    return message;
  }

 private:
  VinculumMpi mpi_;
};

}  // namespace

std::unique_ptr<Ranks> company() {
  const int started = started_processes();
  if (started < 2) return nullptr;
  std::string why;
  void* const module = open_module(why);
  const auto begin =
      module ? reinterpret_cast<VinculumMpiBegin>(dlsym(module, "vinculum_mpi_begin")) : nullptr;
  VinculumMpi mpi{};
  if (!begin || begin(&mpi) != 0)
    fail(fmt::format(
        "{} processes were started together, and they cannot share the members: {}; build it where MPI "
        "is installed (libopenmpi-dev), or start one process: --threads uses all processors of a machine",
        started, why));
  auto ranks = std::make_unique<MpiRanks>(mpi);
  if (ranks->count() != started)
    fail(fmt::format(
        "{} processes were started together, and MPI knows {} of them: what started them belongs to "
        "another MPI than the one vinculum was built with",
        started, ranks->count()));
  return ranks;
}

void fall_silent() {
  std::fflush(nullptr);
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere < 0) return;
  dup2(nowhere, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
  close(nowhere);
}

}  // namespace vinculum::cli
