"""Vectors that other layers answer, and those that are about what gputab does not compute."""

ALL = ['V%d' % n for n in range(1, 17)]

# A file below tests/, and the test in it; the file must say the vector's name.
ELSEWHERE = {
    'V3': ('unit/split_test.c', 'prices_are_used_as_a_ratio'),
    'V4': ('unit/split_test.c', 'a_node_of_four_vcpus_splits_as_published'),
    'V5': ('unit/split_test.c', 'equal_prices_give_every_unit_the_same'),
    'V6': ('unit/split_test.c', 'unit_prices_times_units_are_the_whole_price'),
    'V8': ('unit/split_test.c', 'a_discount_lowers_every_piece_alike'),
    'V13': ('unit/allocate_test.c', 'a_card_by_allocation_is_not_a_card_by_use'),
}

NOT_OURS = {
    'V11': "Slurm's TRES billing weights: units of a scheduler's own, not parts of a bill",
    'V12': 'prices of tokens: gputab knows no requests to a model, only who held memory',
}
