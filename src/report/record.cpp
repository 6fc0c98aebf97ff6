#include "vinculum/report/record.hpp"
