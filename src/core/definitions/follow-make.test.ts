import { describe } from 'vitest'
import { MAKEFILE, project, SCRIPT_GONE, TRUE, testWeakened } from '../../../test/given/definition-changes.ts'

describe('a rule is weakened by', () => {
  testWeakened([
    [
      'a file with the name of a target',
      'make check',
      { Makefile: MAKEFILE },
      { check: '' },
      'make now reads check, which is new',
    ],
    [
      'a folder with the name of a target that another needs',
      'make check',
      { Makefile: MAKEFILE },
      { 'build/a.js': '' },
      'make now reads build/a.js, which is new',
    ],
    [
      'a target that is no longer phony',
      'make check',
      { Makefile: `.PHONY: check build\n${MAKEFILE}`, 'check/a.js': '' },
      { Makefile: `.PHONY: build\n${MAKEFILE}` },
      'the list of phony targets in Makefile',
    ],
    [
      'GNUmakefile beside Makefile',
      'make check',
      { Makefile: MAKEFILE },
      { GNUmakefile: 'check:\n\ttrue\n' },
      'make now reads GNUmakefile, which is new',
    ],
    [
      'a rule of the Makefile',
      'make check',
      { Makefile: MAKEFILE },
      { Makefile: MAKEFILE.replace('@$(RUN)', 'true') },
      'check in Makefile',
    ],
    [
      'a variable of the Makefile',
      'make check',
      { Makefile: MAKEFILE },
      { Makefile: MAKEFILE.replace('./check.sh', 'true') },
      'check in Makefile',
    ],
    [
      'a prerequisite',
      'make check',
      { Makefile: MAKEFILE },
      { Makefile: MAKEFILE.replace('echo build', 'false') },
      'check in Makefile',
    ],
    [
      'the shell of the Makefile',
      'make check',
      { Makefile: MAKEFILE },
      { Makefile: `SHELL = /bin/true\n${MAKEFILE}` },
      'check in Makefile',
    ],
    ['a script behind a rule', 'make check', { Makefile: MAKEFILE, 'check.sh': 'a' }, { 'check.sh': 'b' }, 'check.sh'],
    [
      'another file by -f and -C',
      'make -C sub -f rules.mk check',
      { 'sub/rules.mk': MAKEFILE },
      { 'sub/rules.mk': 'check:\n\ttrue\n' },
      'check in sub/rules.mk',
    ],
    [
      'an included file',
      'make check',
      { Makefile: 'include rules.mk\n', 'rules.mk': MAKEFILE },
      { 'rules.mk': `${MAKEFILE}SHELL=true\n` },
      ['rules.mk', 'check in rules.mk'],
    ],
    [
      'a new file that a pattern includes',
      'make check',
      { Makefile: `-include $(wildcard *.mk)\n${MAKEFILE}` },
      { 'x.mk': 'SHELL=true\n' },
      'make now reads x.mk, which is new',
    ],
    [
      'a recipe of just',
      'just check',
      { justfile: 'check:\n  npm test\n', ...project('vitest run') },
      TRUE,
      SCRIPT_GONE,
    ],
  ])
})
