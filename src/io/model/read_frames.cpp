// Frames: bodies and joints told where another body is.
#include <fmt/format.h>

#include <algorithm>

#include "io/model/reader_templates.hpp"
#include "vinculum/base/text.hpp"
#include "vinculum/model/frames.hpp"
#include "vinculum/model/stated.hpp"

namespace vinculum {

/// The body in whose frame another is told; nothing where that is the world, or has a fault.
Reader::StatedBody* Reader::frame_of(const StatedBody& body, std::vector<StatedBody>& bodies) {
  const Entry* frame = body.entry->find("frame");
  if (frame == nullptr || frame->kind != Entry::Kind::text || frame->text == "ground") return nullptr;
  const auto place = frames_.find(frame->text);
  return place == frames_.end() ? nullptr : &bodies[place->second];
}

/// From the world on to the last one, which is told in the frame of the one before, and so on.
void Reader::place_chain(std::span<StatedBody* const> chain, std::vector<StatedBody>& bodies) {
  for (StatedBody* body : chain) {
    body->placed = true;
    const std::string what = "body '" + body->entry->key + "'";
    const Entry* named = body->entry->find("frame");
    if (named == nullptr) continue;
    const StatedBody* frame = frame_of(*body, bodies);
    if (frame == nullptr) {
      Part ground;
      const std::size_t before = faults.size();
      read_frame(named, what, ground);
      body->good = faults.size() == before && ground.body() == nullptr && is_ground(*named);
    } else if (frame->good) {
      const std::size_t before = faults.size();
      noting_faults(named->at, [&] { place_in_world(model_.stated(), frame->options, body->options, what); });
      body->good = faults.size() == before;
    } else {
      body->good = false;  // that fault is noted
    }
  }
}

void Reader::place_bodies(std::vector<StatedBody>& bodies) {
  frames_.reserve(bodies.size());
  for (std::size_t k = 0; k < bodies.size(); ++k) frames_.emplace(bodies[k].entry->key, k);
  std::vector<StatedBody*> chain;
  for (StatedBody& first : bodies) {
    chain.clear();
    StatedBody* body = &first;
    for (; body != nullptr && !body->visited; body = frame_of(*body, bodies)) {
      body->visited = true;
      chain.push_back(body);
    }
    if (body != nullptr && !body->placed) {
      const Entry& frame = *body->entry->find("frame");
      note(first_letter(frame),
           fmt::format("body '{}' is told in the frame of '{}', and that, in the end, in "
                       "its own: a circle",
                       body->entry->key, frame.text));
      for (StatedBody* in_vain : chain) {
        in_vain->placed = true;
        in_vain->good = false;
      }
      continue;
    }
    std::reverse(chain.begin(), chain.end());
    place_chain(chain, bodies);
  }
}

bool Reader::is_ground(const Entry& name) { return name.kind == Entry::Kind::text && name.text == "ground"; }

/// Of a joint, or of a body for which there is none.
void Reader::read_frame(const Entry* entry, const std::string& what, Part& out) {
  if (entry == nullptr || is_ground(*entry)) return;
  if (entry->kind != Entry::Kind::text)
    return note(*entry, fmt::format("'{}' of {} is {}; the name of a body is asked for", entry->key, what,
                                    kind_name(entry->kind)));
  if (const auto body = bodies_.find(entry->text); body != bodies_.end()) {
    out = body->second;
    return;
  }
  const auto known = names_.find(entry->text);
  if (known != names_.end() && std::string_view(known->second.what) == "body") return;  // a fault of its own
  note(first_letter(*entry),
       fmt::format("'{}' of {} is '{}', which is no body", entry->key, what, entry->text));
  suggest(entry->text, [this] { return body_names(); });
}

}  // namespace vinculum
