// Memory that runs out at any moment: every C call returns and says so, and the object it was called on can continue.
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "c/failing_memory.h"
#include "c/small_arrays.h"
#include "fascia/io.h"

namespace {

using fascia::test::SmallArrays;

/// What is tried while memory fails.
struct Trial {
    std::string what;
    std::function<bool()> call;            ///< returns whether it has succeeded
    std::function<void()> before = [] {};  ///< with memory there
    std::function<void()> after = [] {};   ///< with memory back
    bool may_allocate_nothing = false;
};

/// Runs the call while its first allocation fails, then its second, and so on, until none does; then while all of them
/// fail from the first, the second ... on.
void fail_each_allocation(const Trial& trial) {
    for (const bool all : {false, true}) {
        std::size_t failures = 0;
        for (std::size_t k = 0;; ++k) {
            ASSERT_LT(k, 100000u) << trial.what;
            trial.before();
            fascia::test::fail_allocation(k, all);
            const bool done = trial.call();
            const bool met = fascia::test::stop_failing() > k;
            if (!met) {
                EXPECT_TRUE(done) << trial.what << ": " << fascia_last_error();
                trial.after();
                break;
            }
            failures += !done;
            if (!done) {
                ASSERT_NE(std::string(fascia_last_error()), "") << trial.what;
            }
            trial.after();
        }
        if (!trial.may_allocate_nothing) {
            EXPECT_GT(failures, 0u) << trial.what;
        }
    }
}

struct Body {
    SmallArrays source;
    fascia_character* character = fascia_character_make(&source.arrays, nullptr, 0);
    ~Body() { fascia_character_free(character); }
};

TEST(OutOfMemory, MakingACharacter) {
    const SmallArrays source;
    fail_each_allocation({"make", [&] {
                              fascia_character* made = fascia_character_make(&source.arrays, nullptr, 0);
                              fascia_character_free(made);
                              return made != nullptr;
                          }});
}

/// A file with a skin, a clip and a rigid part, as bytes.
std::vector<std::uint8_t> small_file() {
    const std::string path = ::testing::TempDir() + "out_of_memory.glb";
    const fascia::Status written = fascia::write_character(path, fascia::test::small_character());
    EXPECT_TRUE(written.ok());
    std::ifstream file(path, std::ios::binary);
    std::vector<std::uint8_t> bytes{std::istreambuf_iterator<char>(file), {}};
    std::filesystem::remove(path);
    return bytes;
}

/// The same file with more JSON at the beginning.
std::vector<std::uint8_t> with_json(std::vector<std::uint8_t> bytes, std::string json) {
    while (json.size() % 4 != 0) json += ' ';
    const auto lengthen = [&](std::size_t at) {
        std::uint32_t length;
        std::memcpy(&length, &bytes[at], sizeof length);
        length += std::uint32_t(json.size());
        std::memcpy(&bytes[at], &length, sizeof length);
    };
    lengthen(8), lengthen(12);  // of the file, and of its first chunk
    EXPECT_EQ(bytes[20], '{');
    bytes.insert(bytes.begin() + 21, json.begin(), json.end());
    return bytes;
}

void read_while_memory_fails(const std::vector<std::uint8_t>& bytes) {
    fail_each_allocation({"read", [&] {
                              fascia_character* read =
                                  fascia_character_from_memory(bytes.data(), bytes.size(), "small", nullptr, 0);
                              fascia_character_free(read);
                              return read != nullptr;
                          }});
}

TEST(OutOfMemory, ReadingAFile) {
    read_while_memory_fails(small_file());
}

/// The second of two equal keys replaces a tree, which has to be freed without memory, too.
TEST(OutOfMemory, ReadingAFileThatSaysAThingTwice) {
    read_while_memory_fails(with_json(small_file(), R"("extras":{"a":[{"b":[1,{"c":3}]},[[2]]]},"extras":{"x":1},)"));
}

TEST(OutOfMemory, MakingAWorld) {
    const char* const text = R"({"colliders": [
        {"name": "ball", "shape": "sphere", "radius": 0.2, "keys": [{"time": 1, "place": [0, 0, 1]}]},
        {"shape": "hull", "points": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]}], "wind": {"turbulence": 1}})";
    const char* const wrong = R"({"colliders": [{"shape": "bal"}], "wnd": [[[1], {"a": [2]}]], "wnd": 1})";
    fail_each_allocation({"world", [&] {
                              fascia_world* world = fascia_world_new(text, nullptr, 0);
                              fascia_world_free(world);
                              return world != nullptr;
                          }});
    fail_each_allocation({"wrong world", [&] { return fascia_world_new(wrong, nullptr, 0) == nullptr; }, [] {}, [] {},
                          /*may_allocate_nothing=*/true});
}

TEST(OutOfMemory, AddingAMotion) {
    const Body body;
    fail_each_allocation({"motion", [&] {
                              fascia_character* swaying =
                                  fascia_character_with_motion(body.character, "bundled:sway", nullptr, 0);
                              fascia_character_free(swaying);
                              return swaying != nullptr;
                          }});
}

TEST(OutOfMemory, Binding) {
    const Body body;
    const std::pair<const char*, const char*> kinds[] = {{"lbs", nullptr},
                                                         {"dqs", nullptr},
                                                         {"bones-blending", nullptr},
                                                         {"layers", "{\"resolution\": 4}"},
                                                         {"lattice", "{\"resolution\": 4}"},
                                                         {"particles", "{\"resolution\": 4}"},
                                                         {"volumetric-dqs", "{\"resolution\": 4}"},
                                                         {"volumetric-arap", "{\"resolution\": 4}"},
                                                         {"handles", "{\"influence\": \"file\"}"},
                                                         {"neck", nullptr}};
    for (const auto& [method, flesh] : kinds)
        fail_each_allocation({std::string("bind ") + method, [&, method = method, flesh = flesh] {
                                  fascia_rig* rig = fascia_bind(body.character, method, flesh, nullptr, 0);
                                  fascia_rig_free(rig);
                                  return rig != nullptr;
                              }});
}

TEST(OutOfMemory, BindingWithOptions) {
    const Body body;
    fascia_bind_options weighted{}, carried{};
    weighted.weights = "nearest";
    carried.flesh_json = "{\"resolution\": 4}";
    carried.embed = "dq";
    for (const auto& [method, options] : {std::pair{"dqs", weighted}, {"volumetric-arap", carried}})
        fail_each_allocation({std::string("bind with options ") + method, [&, method = method, options = options] {
                                  fascia_rig* rig = fascia_bind_with(body.character, method, &options, nullptr, 0);
                                  fascia_rig_free(rig);
                                  return rig != nullptr;
                              }});
}

/// A ball that presses into the column, in wind.
const char* const pressing =
    R"({"colliders": [{"name": "ball", "shape": "sphere", "radius": 0.5, "place": [0.9, 1.2, 0]}],
                                 "wind": {"push": [0, 0, 1], "turbulence": 1}})";

TEST(OutOfMemory, EnablingHandles) {
    const Body body;
    fascia_rig* rig = fascia_bind(body.character, "handles", R"({"influence": "file"})", nullptr, 0);
    fascia_instance* instance = fascia_instance_new(rig, 1);
    const double turn[4] = {0.9, 0.1, 0, 0};
    fail_each_allocation({"enable",
                          [&] {
                              return fascia_enable_handles(instance, "up*", 0, nullptr, 0) == FASCIA_OK &&
                                     fascia_turn_handles(instance, "low*", turn, nullptr, 0) == FASCIA_OK;
                          },
                          [] {}, [] {}, /*may_allocate_nothing=*/true});
    EXPECT_EQ(fascia_is_handle_enabled(instance, 1), 0);
    fascia_instance_free(instance);
    fascia_rig_free(rig);
}

class OutOfMemoryIn : public ::testing::TestWithParam<const char*> {
protected:
    OutOfMemoryIn() {
        rig_ = fascia_bind(body_.character, GetParam(), R"({"resolution": 6, "influence": "file"})", nullptr, 0);
        EXPECT_NE(rig_, nullptr) << fascia_last_error();
        rest_.resize(24);
        fascia_rest_pose(body_.character, rest_.data());
        moved_ = rest_;
        for (std::size_t k = 3; k < moved_.size(); k += 4) moved_[k] += 0.02;
        positions_.resize(3 * fascia_rig_vertex_count(rig_));
        normals_ = positions_;
    }
    ~OutOfMemoryIn() override { fascia_rig_free(rig_); }

    /// A few frames from the beginning.
    std::uint64_t played(fascia_instance* instance) {
        EXPECT_EQ(fascia_reset(instance, rest_.data()), FASCIA_OK) << fascia_last_error();
        for (int k = 0; k < 3; ++k) EXPECT_EQ(fascia_advance(instance, moved_.data(), 1 / 60.0), FASCIA_OK);
        EXPECT_EQ(fascia_embed(instance, positions_.data(), normals_.data()), FASCIA_OK);
        for (const float p : positions_) EXPECT_TRUE(std::isfinite(p));
        return fascia_hash(instance);
    }

    /// Tries a verb on instances whose workspace is still empty, as often as it allocates. Afterwards each plays as
    /// if nothing had happened.
    void fail_on_new_instances(const std::string& what, int threads, const std::function<int(fascia_instance*)>& verb,
                               bool may_allocate_nothing = false) {
        fascia_instance* good = fascia_instance_new(rig_, 1);
        const std::uint64_t hash = played(good);
        fascia_instance_free(good);
        fascia_instance* instance = nullptr;
        fail_each_allocation({what, [&] { return verb(instance) == FASCIA_OK; },
                              [&] { instance = fascia_instance_new(rig_, threads); },
                              [&] {
                                  EXPECT_EQ(played(instance), hash) << what;
                                  fascia_instance_free(instance);
                              },
                              may_allocate_nothing});
    }

    const Body body_;
    fascia_rig* rig_ = nullptr;
    std::vector<double> rest_, moved_;
    std::vector<float> positions_, normals_;
};
INSTANTIATE_TEST_SUITE_P(Methods, OutOfMemoryIn,
                         ::testing::Values("lbs", "dqs", "bones-blending", "layers", "lattice", "particles",
                                           "volumetric-dqs", "volumetric-arap", "handles"),
                         [](const auto& info) {
                             std::string name = info.param;
                             for (char& c : name)
                                 if (c == '-') c = '_';
                             return name;
                         });

TEST_P(OutOfMemoryIn, Frames) {
    for (const int threads : {1, 2}) {
        fail_each_allocation({"new instance", [&] {
                                  fascia_instance* instance = fascia_instance_new(rig_, threads);
                                  fascia_instance_free(instance);
                                  return instance != nullptr;
                              }});
        fail_on_new_instances(
            "reset", threads, [&](fascia_instance* i) { return fascia_reset(i, rest_.data()); }, true);
        fail_on_new_instances(
            "advance", threads, [&](fascia_instance* i) { return fascia_advance(i, moved_.data(), 1 / 60.0); }, true);
        const bool keeps_its_surface = std::string(GetParam()) == "handles";
        fail_on_new_instances(
            "embed", threads, [&](fascia_instance* i) { return fascia_embed(i, positions_.data(), normals_.data()); },
            keeps_its_surface);
    }
    fail_on_new_instances(
        "settled", 1, [&](fascia_instance* i) { return fascia_reset_settled(i, rest_.data()); }, true);
    fascia_vertex_buffers buffers{};
    buffers.positions = {positions_.data(), 0, positions_.size() / 3, FASCIA_FLOAT};
    buffers.offsets = 1;
    fail_on_new_instances("embed into", 1,
                          [&](fascia_instance* i) { return fascia_embed_into(i, &buffers, nullptr, nullptr); });
    fascia_world* world = fascia_world_new(pressing, nullptr, 0);
    fail_on_new_instances(
        "advance in a world", 1,
        [&](fascia_instance* i) { return fascia_advance_in(i, world, moved_.data(), 1 / 60.0); }, true);
    fascia_world_free(world);
}

/// Whoever is not told of a world in time must not meet it later.
TEST_P(OutOfMemoryIn, FramesInAWorld) {
    fascia_abilities can{};
    fascia_method_abilities(GetParam(), &can);
    if (!can.takes_hand) return;  // a world does nothing to it
    const char* const text = R"({"colliders": [{"shape": "sphere", "radius": 0.3, "place": [0.6, 1.2, 0]}],
                                 "wind": {"push": [5, 0, 0]}, "gravity": [0, -9.81, 0]})";
    fascia_world* world = nullptr;
    const auto fail_in_world = [&](const char* what, const std::function<int(fascia_instance*)>& verb) {
        fail_on_new_instances(what, 1, [&](fascia_instance* i) {
            world = fascia_world_new(text, nullptr, 0);  // NULL without memory, too: then nothing goes on in it
            const int said = world == nullptr ? int(FASCIA_FOREIGN) : verb(i);
            fascia_world_free(world);
            return said;
        });
    };
    fail_in_world("advance", [&](fascia_instance* i) { return fascia_advance_in(i, world, moved_.data(), 1 / 60.0); });
    fail_in_world("settle", [&](fascia_instance* i) { return fascia_settle_in(i, world); });
    fascia_workspace* crowd = fascia_workspace_new(2);
    fail_in_world("crowd", [&](fascia_instance* i) {
        const fascia_frame frame{i, moved_.data(), 1 / 60.0, nullptr, nullptr};
        return fascia_advance_many_in(crowd, world, &frame, 1);
    });
    fascia_workspace_free(crowd);
}

TEST_P(OutOfMemoryIn, EverythingElse) {
    std::vector<std::uint8_t> bytes(fascia_rig_save(rig_, nullptr, 0));
    ASSERT_EQ(fascia_rig_save(rig_, bytes.data(), bytes.size()), bytes.size());
    fail_each_allocation({"save a rig", [&] { return fascia_rig_save(rig_, nullptr, 0) == bytes.size(); }});
    fail_each_allocation({"load a rig", [&] {
                              fascia_rig* loaded = fascia_rig_load(bytes.data(), bytes.size(), nullptr, 0);
                              fascia_rig_free(loaded);
                              return loaded != nullptr;
                          }});
    const float patch[9] = {0.65f, 1, 0, 0.65f, 1.2f, 0, 0.65f, 1, 0.1f};
    fail_each_allocation({"attach", [&] {
                              fascia_attached* attached = fascia_attach(rig_, patch, nullptr, 3, nullptr, 0);
                              fascia_attached_free(attached);
                              return attached != nullptr;
                          }});
    fascia_attached* attached = fascia_attach(rig_, patch, nullptr, 3, nullptr, 0);
    float there[9];
    fail_on_new_instances("embed attached", 1,
                          [&](fascia_instance* i) { return fascia_embed_attached(i, attached, there, nullptr); });
    fascia_attached_free(attached);

    fascia_instance* instance = fascia_instance_new(rig_, 1);
    const std::uint64_t hash = played(instance);
    std::vector<std::uint8_t> state(fascia_instance_save(instance, nullptr, 0));
    fascia_instance_save(instance, state.data(), state.size());
    fail_each_allocation({"save", [&] { return fascia_instance_save(instance, nullptr, 0) == state.size(); }});
    fail_each_allocation(
        {"restore",
         [&] { return fascia_instance_restore(instance, state.data(), state.size(), nullptr, 0) == FASCIA_OK; }, [] {},
         [&] { EXPECT_EQ(fascia_hash(instance), hash); }});
    fail_each_allocation({"copy", [&] {
                              fascia_instance* copy = fascia_instance_copy(instance);
                              fascia_instance_free(copy);
                              return copy != nullptr;
                          }});
    fascia_abilities can{};
    fascia_method_abilities(GetParam(), &can);
    if (can.takes_hand) {
        const double origin[3] = {5, 1.2, 0}, direction[3] = {-1, 0, 0};
        double point[3] = {0.6, 1.2, 0};
        fail_each_allocation(
            {"pick", [&] { return fascia_pick(instance, origin, direction, point) == FASCIA_OK; }, [] {}, [] {}});
        fail_each_allocation({"pull", [&] { return fascia_pull(instance, point, origin, 1) == FASCIA_OK; }});
        fail_each_allocation({"fade", [&] { return fascia_fade(instance, "up*", 0.5, 1, nullptr, 0) == FASCIA_OK; },
                              [&] { fascia_instance_restore(instance, state.data(), state.size(), nullptr, 0); }});
        fail_each_allocation({"retune", [&] {
                                  fascia_rig* retuned = fascia_rig_set(rig_, "gravity", "0,-1,0", nullptr, 0);
                                  fascia_rig_free(retuned);
                                  return retuned != nullptr;
                              }});
        std::vector<float> points(3 * fascia_point_count(rig_));
        fail_on_new_instances("points", 1, [&](fascia_instance* i) { return fascia_points(i, points.data()); });
    }
    fascia_instance_free(instance);
}

}  // namespace
