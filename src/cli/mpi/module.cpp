#include "cli/mpi/module.hpp"

#include <mpi.h>

#include <list>
#include <string>

namespace {

constexpr int tag = 0;  // of all messages

/// What is on its way: its bytes stay where they are until it has arrived.
struct Sending {
  std::string bytes;
  MPI_Request request = MPI_REQUEST_NULL;
};
std::list<Sending>& on_the_way() {
  static std::list<Sending> all;
  return all;
}

void forget_what_arrived() {
  on_the_way().remove_if([](Sending& sending) {
    int arrived = 0;
    MPI_Test(&sending.request, &arrived, MPI_STATUS_IGNORE);
    return arrived != 0;
  });
}

void send(int to, const char* bytes, long size) {
  Sending& sending = on_the_way().emplace_back();
  sending.bytes.assign(bytes, static_cast<std::size_t>(size));
  MPI_Isend(sending.bytes.data(), static_cast<int>(size), MPI_BYTE, to, tag, MPI_COMM_WORLD,
            &sending.request);
}

long next(int* from) {
  forget_what_arrived();
  int there = 0, size = 0;
  MPI_Status status;
  MPI_Iprobe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &there, &status);
  if (there == 0) return -1;
  MPI_Get_count(&status, MPI_BYTE, &size);
  *from = status.MPI_SOURCE;
  return size;
}

void receive(int from, char* bytes, long size) {
  MPI_Recv(bytes, static_cast<int>(size), MPI_BYTE, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/// What nobody waits for any more is received, so that no sender is left waiting.
void finish() {
  MPI_Request all_here = MPI_REQUEST_NULL;
  bool entered = false;
  for (int over = 0; over == 0;) {
    int from = 0;
    if (const long size = next(&from); size >= 0) {
      std::string unread(static_cast<std::size_t>(size), '\0');
      receive(from, unread.data(), size);
    } else if (!entered && on_the_way().empty()) {
      MPI_Ibarrier(MPI_COMM_WORLD, &all_here);
      entered = true;
    } else if (entered) {
      MPI_Test(&all_here, &over, MPI_STATUS_IGNORE);
    }
  }
  MPI_Finalize();
}

}  // namespace

extern "C" __attribute__((visibility("default"))) int vinculum_mpi_begin(VinculumMpi* mpi) {
  int provided = 0;
  if (MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS) return 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &mpi->rank);
  MPI_Comm_size(MPI_COMM_WORLD, &mpi->count);
  mpi->send = send;
  mpi->next = next;
  mpi->receive = receive;
  mpi->finish = finish;
  return 0;
}
