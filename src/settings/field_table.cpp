#include "settings/field_table.h"

namespace fascia {

const Field* FieldTable::find(FieldScope scope, const std::string& key) const {
    for (const Field& field : fields)
        if (field.info.scope == scope && field.info.key == key) return &field;
    return nullptr;
}

const EntryList* FieldTable::list(FieldScope scope) const {
    for (const EntryList& list : lists)
        if (list.scope == scope) return &list;
    return nullptr;
}

}  // namespace fascia
