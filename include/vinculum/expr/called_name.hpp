// How a function written in C++ is called in text, LaTeX and C.
#pragma once
#include <string>

#include "vinculum/base/export.hpp"
#include "vinculum/expr/graph.hpp"

namespace vinculum {

/// "drag"; "drag_d2" for its derivative by the second argument.
VINCULUM_EXPORT std::string called_name(const Graph& graph, const Node& call);

}  // namespace vinculum
