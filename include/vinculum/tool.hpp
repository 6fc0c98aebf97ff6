// Everything of vinculum::tool beside the engine: models from files, results into files, the report.
#pragma once
#include "vinculum/io/import_robot.hpp"
#include "vinculum/io/read_model.hpp"
#include "vinculum/io/result_stream.hpp"
#include "vinculum/io/schema.hpp"
#include "vinculum/io/write_file.hpp"
#include "vinculum/report/json.hpp"
#include "vinculum/report/page.hpp"
#include "vinculum/report/picture.hpp"
#include "vinculum/report/view.hpp"
