#include <filesystem>

#include <gtest/gtest.h>

#include "fascia/io.h"
#include "support/small_character.h"
#include "support/temporary_folder.h"

namespace fascia {
namespace {

TEST(RigFiles, AreWrittenAndReadAndNamedInErrors) {
    const test::TemporaryFolder folder;
    const std::string rig_path = folder / "column.rig", state_path = folder / "column.state";
    const RigPtr rig = *bind(test::small_character(), DqsSettings{});
    ASSERT_TRUE(write_rig(rig_path, *rig).ok());
    const auto again = read_rig(rig_path);
    ASSERT_TRUE(again.ok()) << again.error().message;
    State state = make_state(*rig);
    state.counters.steps = 7;
    ASSERT_TRUE(write_state(state_path, *rig, state).ok());
    const auto restored = read_state(state_path, **again);
    ASSERT_TRUE(restored.ok()) << restored.error().message;
    EXPECT_EQ(hash(*restored), hash(state));
    EXPECT_EQ(restored->counters.steps, 7u);

    const auto other = read_rig(rig_path, "layers");
    ASSERT_FALSE(other.ok());
    EXPECT_NE(other.error().message.find(rig_path), std::string::npos);
    EXPECT_FALSE(read_rig(folder / "none.rig").ok());
    EXPECT_EQ(write_rig(folder / "no/such/folder.rig", *rig).error().kind, Error::Kind::output);
    std::filesystem::resize_file(rig_path, std::filesystem::file_size(rig_path) - 5);
    const auto cut = read_rig(rig_path);
    ASSERT_FALSE(cut.ok());
    EXPECT_NE(cut.error().message.find("cut off"), std::string::npos);
}

}  // namespace
}  // namespace fascia
