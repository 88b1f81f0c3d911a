import { describe } from 'vitest'
import { testWeakened } from '../../../test/given/definition-changes.ts'

describe('a check of compiled code is weakened by', () => {
  testWeakened([
    [
      'settings of cargo',
      'cargo test',
      { 'Cargo.toml': '[lib]\ntest = true\n' },
      { 'Cargo.toml': '[lib]\ntest = false\n' },
      [
        'the settings of its tests in Cargo.toml',
        'the switch of its tests in Cargo.toml was "test = true" and is "test = false"',
      ],
    ],
    [
      'a new runner of cargo',
      'cargo test',
      { 'Cargo.toml': '[package]\n' },
      { '.cargo/config.toml': '[target]\nrunner = "true"\n' },
      'cargo now reads .cargo/config.toml, which is new',
    ],
    [
      'a new build script of a crate, which can rewrite tests',
      'cargo test',
      { 'Cargo.toml': '[package]\n' },
      { 'crates/a/build.rs': 'fn main() {}\n' },
      'cargo now reads crates/a/build.rs, which is new',
    ],
    [
      'another build script',
      'cargo test',
      { 'Cargo.toml': '[package]\n' },
      { 'Cargo.toml': '[package]\nbuild = "b.rs"\n' },
      'cargo now reads the switch of its tests in Cargo.toml ("build = "b.rs""), which is new',
    ],
    [
      'a new go.work',
      'go test ./...',
      { 'go.mod': 'module x\n' },
      { 'go.work': 'x' },
      'go now reads go.work, which is new',
    ],
    [
      'a build of gradle',
      './gradlew test',
      { gradlew: 'x', 'build.gradle': 'test { enabled = true }\n' },
      { 'build.gradle': 'test { enabled = false }\n' },
      'the build in build.gradle was "test { enabled = true }" and is "test { enabled = false }"',
    ],
    [
      'a property of maven',
      'mvn -q test',
      { 'pom.xml': '<project><build></build></project>' },
      { 'pom.xml': '<project><properties><skipTests>true</skipTests></properties><build></build></project>' },
      'the build in pom.xml',
    ],
  ])
})
