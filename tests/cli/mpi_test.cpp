// vinculum sweep by several processes that mpirun starts: the file of one, whatever happens to them.
#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>

#include "cli/program.hpp"
#include "cli/started.hpp"

namespace vinculum::cli_test {
namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

const std::string oscillator = R"(
parameters = { k = 4, c = 0 }
coordinates.x = 1
mass.x = 1
forces.x = "-k*x - c*x'"
simulate.until = 40
)";
const std::string study =
    "sweep m.toml --vary k=-0.01:9:600 --random \"x=normal(1,0.1)\" --keep x x.max --quiet ";

/// On a machine that has fewer processors than processes, by whomever.
std::string mpirun(int count) {
  return "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 "
         "OMPI_MCA_hwloc_base_binding_policy=none mpirun -n " +
         std::to_string(count) + " " VINCULUM_PROGRAM " ";
}

#ifdef VINCULUM_HAS_MPI

TEST(Mpi, AnyNumberOfProcessesWritesTheSameFile) {
  const Folder vinculum;
  vinculum.write("m.toml", oscillator);
  for (const std::string ending : {".csv", ".h5"}) {
    ASSERT_EQ(vinculum(study + "--out one" + ending).status, 0);
    for (const int count : {1, 2, 3}) {
      const Outcome o = vinculum.shell(mpirun(count) + study + "--out many" + ending);
      EXPECT_EQ(o.status, 0) << o.err;
      EXPECT_EQ(o.err, "");
      EXPECT_TRUE(vinculum.read("many" + ending) == vinculum.read("one" + ending)) << count << ending;
    }
  }
}

TEST(Mpi, OneSpeaksForAll) {
  const Folder vinculum;
  vinculum.write("m.toml", oscillator);
  const std::string call = "sweep m.toml --vary k=1:2:9 --keep x";
  EXPECT_EQ(vinculum.shell(mpirun(3) + call).out, vinculum(call).out);
  for (const std::string wrong : {"sweep none.toml --vary k=1:2:9", "sweep m.toml --vary kk=1:2:9"}) {
    const Outcome alone = vinculum(wrong), many = vinculum.shell(mpirun(3) + wrong);
    EXPECT_EQ(alone.status, 2);
    EXPECT_NE(many.status, 0);
    EXPECT_TRUE(many.err.starts_with(alone.err)) << many.err;
    EXPECT_EQ(many.err.find(alone.err, alone.err.size()), std::string::npos) << "said more than once";
  }
}

/// The processes of a call that have not ended: mpirun's children.
std::vector<pid_t> processes_of(pid_t mpirun) {
  std::vector<pid_t> found;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    std::ifstream stat(entry.path() / "stat");
    pid_t pid = 0, parent = 0;
    std::string name, state;
    if (stat >> pid >> name >> state >> parent && parent == mpirun && state != "Z") found.push_back(pid);
  }
  return found;
}

/// mpirun in a process of its own.
class Together {
 public:
  Together(const Folder& folder, const std::string& arguments) {
    child_ = fork();
    if (child_ != 0) return;
    if (chdir(folder.path(".").c_str()) != 0) _exit(126);
    dup2(open(".err", O_WRONLY | O_CREAT | O_TRUNC, 0600), STDERR_FILENO);
    dup2(STDERR_FILENO, STDOUT_FILENO);
    const std::string call = mpirun(3) + arguments;
    setenv("call", ("exec env " + call).c_str(), 1);
    execl("/bin/sh", "sh", "-c", "eval \"$call\"", nullptr);
    _exit(127);
  }
  /// The mpirun of Open MPI 4.1 may wait for itself for ever (in PMIx_server_finalize) where its processes
  /// were killed as they began: it is helped to its end. That one of ours stays is a failure.
  ~Together() {
    for (int waited = 0; waited < 300; ++waited) {
      if (waitpid(child_, nullptr, WNOHANG) != 0) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    EXPECT_TRUE(processes_of(child_).empty()) << "a process did not end";
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
  }
  Together(const Together&) = delete;
  Together& operator=(const Together&) = delete;
  pid_t pid() const { return child_; }

 private:
  pid_t child_ = -1;
};

/// One of them is killed, or all, or mpirun itself: what is on disk is gone on with, to the same file.
TEST(Mpi, KilledAtAnyMomentTheyGoOnToTheSameFile) {
  const Folder vinculum;
  vinculum.write("m.toml", oscillator);
  std::mt19937 random(5);
  for (const std::string name : {"o.csv", "o.h5"}) {
    const std::string whole = "whole." + name.substr(2);
    ASSERT_EQ(vinculum(study + "--out " + whole).status, 0);
    int killed = 0;
    for (int k = 0; k < 6 && !vinculum.has(name); ++k) {
      const Together run(vinculum, study + "--resume --out " + name);
      std::vector<pid_t> there;
      for (int waited = 0; waited < 1000 && (there = processes_of(run.pid())).size() < 3; ++waited)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
      if (there.size() < 3) continue;
      // From before they know each other to well within the study.
      std::this_thread::sleep_for(
          std::chrono::duration<double>(std::uniform_real_distribution<>(0.0, 0.6)(random)));
      std::ranges::shuffle(there, random);
      there.resize(k % 3 == 0 ? 3 : 1);
      if (k % 4 == 3) there = {run.pid()};
      for (const pid_t pid : there) kill(pid, SIGKILL);
      killed += static_cast<int>(there.size());
    }
    EXPECT_GT(killed, 0);
    for (int k = 0; k < 50 && !vinculum.has(name);
         ++k)  // where mpirun was killed the others take a moment to notice
      if (vinculum.shell("timeout --signal=KILL 60 env " + mpirun(2) + study + "--resume --out " + name)
              .status != 0)
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
    EXPECT_TRUE(vinculum.read(name) == vinculum.read(whole)) << name;
    EXPECT_FALSE(vinculum.has(name + ".partial"));
  }
}

TEST(Mpi, InterruptedTheyKeepWhatIsDone) {
  const Folder vinculum;
  vinculum.write("m.toml", oscillator);
  {
    const Together run(vinculum, "sweep m.toml --vary k=1:9:100000 --keep x --quiet --out o.csv");
    for (int k = 0; k < 200 && !vinculum.has("o.csv.partial"); ++k)
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    kill(run.pid(), SIGINT);
  }
  ASSERT_TRUE(vinculum.has("o.csv.partial"));
  const std::string rows = vinculum.read("o.csv.partial");
  EXPECT_GT(std::ranges::count(rows, '\n'), 10);
}

#else

TEST(Mpi, WithoutItOthersAreNotIgnored) {
  const Folder vinculum;
  vinculum.write("m.toml", oscillator);
  const Outcome o = vinculum.shell("OMPI_COMM_WORLD_SIZE=4 " VINCULUM_PROGRAM " " + study);
  EXPECT_EQ(o.status, 2);
  EXPECT_TRUE(has(o.err, "4 processes were started together")) << o.err;
  EXPECT_TRUE(has(o.err, "built without MPI")) << o.err;
}

#endif

TEST(Mpi, ProcessesThatCannotReachEachOtherAreRefused) {
  const Folder vinculum;
  vinculum.write("m.toml", oscillator);
  const Outcome o = vinculum.shell(
      "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 PMI_SIZE=4 " VINCULUM_PROGRAM " " + study);
  EXPECT_EQ(o.status, 2);
  EXPECT_TRUE(has(o.err, "4 processes were started together")) << o.err;
}

}  // namespace
}  // namespace vinculum::cli_test
