// The program.
#include "cli/commands.hpp"

int main(int argc, char** argv) { return vinculum::cli::execute(argc, argv); }
