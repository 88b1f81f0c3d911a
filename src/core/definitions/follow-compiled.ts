import { linesThat, section, withoutBlocks } from './excerpts.ts'
import { foldersUp, joined } from './paths.ts'
import type { PlaceUse } from './place.ts'
import { filesNamed, plainArguments } from './step-arguments.ts'
import type { Follower } from './trail.ts'

const guarded = (reader: string): PlaceUse => ({ reader, ifNew: 'finding' })

/** Follows cargo to the settings that choose tests, the program that runs them, and build scripts. */
export const followCargo: Follower = (step, trail) => {
  const words = plainArguments(step.args.filter((arg) => !arg.startsWith('+')))
  const verb = words[0] ?? ''
  const kind = Object.hasOwn(CARGO, verb) ? CARGO[verb] : undefined
  if (kind === undefined) return
  trail.runner({ kind, folder: step.folder, files: [] })
  const use = guarded('cargo')
  trail.every('', /(?:^|\/)build\.rs$/, use)
  for (const at of foldersUp(step.folder)) {
    for (const name of [
      '.cargo/config.toml',
      '.cargo/config',
      'rust-toolchain',
      'rust-toolchain.toml',
      'clippy.toml',
      '.clippy.toml',
    ]) {
      trail.file(joined(at, name), use)
    }
    for (const name of ['nextest.toml', '.config/nextest.toml']) trail.file(joined(at, name), use)
    const heading =
      kind === 'cargo-clippy' ? /^\[(?:workspace\.)?lints\b/ : /^\[(?:lib\]|\[test\]|profile\.test|workspace\])/
    trail.excerpt(joined(at, 'Cargo.toml'), 'the settings of its tests', section(heading), { ...use, ifNew: 'free' })
    trail.excerpt(
      joined(at, 'Cargo.toml'),
      'the switch of its tests',
      linesThat((line) => /^\s*(?:test|build|autotests|harness|doctest|exclude|default-members)\s*=/.test(line)),
      use,
    )
  }
}

/** Follows go to what chooses modules and programs. */
export const followGo: Follower = (step, trail) => {
  const [verb = '', ...rest] = step.args
  const kind = Object.hasOwn(GO, verb) ? GO[verb] : undefined
  if (kind === undefined) return
  trail.runner({ kind, folder: step.folder, files: filesNamed({ ...step, args: rest }, trail) })
  for (const at of foldersUp(step.folder)) {
    for (const name of ['go.work', 'vendor/modules.txt']) trail.file(joined(at, name), guarded('go'))
    trail.excerpt(
      joined(at, 'go.mod'),
      'toolchain and replacements',
      linesThat((line) => /^\s*(?:toolchain|replace|exclude|tool)\b|=>/.test(line)),
      guarded('go'),
    )
  }
}

/** Follows Gradle to its builds, without their dependencies. */
export const followGradle: Follower = (step, trail) => {
  trail.runner({ kind: 'gradle', folder: step.folder, files: [] })
  const use = guarded('gradle')
  for (const name of [
    'gradlew',
    'gradle.properties',
    'init.gradle',
    'gradle/wrapper/gradle-wrapper.properties',
    'gradle/wrapper/gradle-wrapper.jar',
  ]) {
    trail.file(joined(step.folder, name), use)
  }
  for (const file of trail.snapshot.matching(step.folder, /(?:^|\/)(?:build|settings)\.gradle(?:\.kts)?$/)) {
    trail.excerpt(file, 'the build', withoutBlocks(/^[ \t]*dependencies\s*\{/m), { ...use, ifNew: 'free' })
  }
  trail.every(step.folder, /(?:^|\/)buildSrc\//, use)
}

/** Follows Maven to its projects, without their dependencies and versions. */
export const followMaven: Follower = (step, trail) => {
  trail.runner({ kind: 'maven', folder: step.folder, files: [] })
  const use = guarded('mvn')
  for (const name of [
    'mvnw',
    '.mvn/maven.config',
    '.mvn/jvm.config',
    '.mvn/extensions.xml',
    '.mvn/wrapper/maven-wrapper.properties',
  ]) {
    trail.file(joined(step.folder, name), use)
  }
  for (const file of trail.snapshot.matching(step.folder, /(?:^|\/)pom\.xml$/)) {
    trail.excerpt(file, 'the build', (text) => pomBuild(text), { ...use, ifNew: 'free' })
  }
}

function pomBuild(text: string): string | null {
  const parts = ['build', 'properties', 'profiles', 'modules', 'parent'].flatMap((tag) => elementsOf(tag, text))
  return parts.length === 0 ? null : parts.join('\n')
}

function elementsOf(tag: string, text: string): readonly string[] {
  const [, ...rest] = text.split(`<${tag}>`)
  return rest.map((inner) => `<${tag}>${inner.split(`</${tag}>`)[0]}`)
}

const CARGO: Readonly<Record<string, 'cargo-test' | 'cargo-check' | 'cargo-clippy'>> = {
  test: 'cargo-test',
  t: 'cargo-test',
  nextest: 'cargo-test',
  check: 'cargo-check',
  c: 'cargo-check',
  build: 'cargo-check',
  b: 'cargo-check',
  clippy: 'cargo-clippy',
}
const GO: Readonly<Record<string, 'go-test' | 'go-vet' | 'go-build'>> = {
  test: 'go-test',
  vet: 'go-vet',
  build: 'go-build',
}
