#!/usr/bin/env python3
"""The same inputs give the same bytes: again, in every locale, time zone and folder, and whatever unused memory holds."""
import os
import shutil
import subprocess
import tempfile

import harness

SURROUNDINGS = [{}, {'LC_ALL': 'C', 'TZ': 'UTC'}, {'LC_ALL': 'C.UTF-8', 'TZ': 'Asia/Kathmandu'}, {'TZ': 'America/St_Johns', 'LANGUAGE': 'de'},
                {'MALLOC_PERTURB_': '165'}, {'MALLOC_PERTURB_': '90', 'TZ': 'Pacific/Kiritimati', 'MALLOC_ARENA_MAX': '1'}]
GERMAN = 'de_DE.UTF-8'


def find_german(folder):
    """Whether there is a locale with decimal commas: the system's, else one made in the folder from the system's sources."""
    known = subprocess.run(['locale', '-a'], capture_output=True, text=True).stdout.lower().split()
    if GERMAN.lower().replace('-', '') in known:
        return True
    path = os.path.join(folder, GERMAN)
    if not shutil.which('localedef') or not os.path.exists('/usr/share/i18n/locales/de_DE'):
        return False
    subprocess.run(['localedef', '-i', 'de_DE', '-f', 'UTF-8', '--no-archive', path], capture_output=True)
    os.environ['LOCPATH'] = folder
    forgive_the_c_library(folder)
    return os.path.exists(path)


def forgive_the_c_library(folder):
    """What setlocale() cuts LOCPATH into is never freed, which a program built with the leak sanitizer would be blamed for."""
    path = os.path.join(folder, 'suppressions')
    with open(path, 'w', encoding='ascii') as f:
        f.write('leak:argz_add_sep\n')
    os.environ['LSAN_OPTIONS'] = ':'.join(filter(None, [os.environ.get('LSAN_OPTIONS'), 'suppressions=' + path, 'print_suppressions=0']))


def compare(item, env, what):
    want, got = item.own_outputs(), item.outputs(env=env)
    for form in want:
        if want[form] != got[form]:
            yield '%s: %s %s' % (what, form, harness.first_difference(want[form], got[form]))


def same_bytes_anywhere(item):
    for env in SURROUNDINGS:
        yield from compare(item, env, env or 'again')


def same_bytes_with_decimal_commas(item):
    yield from compare(item, {'LC_ALL': GERMAN}, GERMAN)


def main():
    properties = [same_bytes_anywhere, same_bytes_with_decimal_commas]
    with tempfile.TemporaryDirectory() as scratch:
        if not find_german(scratch):
            properties.pop()
            print('there is no locale with decimal commas, nor what to make it from')
        harness.main(properties, '5001-5025')


if __name__ == '__main__':
    main()
