import type { HostRule } from '../../core/sandbox/host-rules.ts'
import { registryRules } from '../../core/sandbox/registry-rules.ts'
import { runCommand } from '../../process/start/run-command.ts'

// Commands by which package managers say where they download from. They run in the root folder, so that only the user's own
// settings count: files of the project may be an agent's.
const QUESTIONS: Readonly<Record<string, string>> = {
  node: 'npm config get registry',
  python: `python3 -m pip config list
python3 -c 'from pip._internal.models.index import PyPI; print(PyPI.url, "https://" + PyPI.file_storage_domain)'`,
  go: 'go env GOPROXY; echo "https://$(go env GOSUMDB)"',
}

const ASK_MS_MAX = 20_000

/** Returns a function that asks the package managers of these stacks for their registries, once. */
export function packageRegistries(
  stacks: readonly string[],
  env: Readonly<Record<string, string>>,
): () => Promise<readonly HostRule[]> {
  let answer: Promise<readonly HostRule[]> | null = null
  return () => {
    answer ??= askAll(stacks, env)
    return answer
  }
}

async function askAll(stacks: readonly string[], env: Readonly<Record<string, string>>): Promise<readonly HostRule[]> {
  const questions = stacks.flatMap((stack) => QUESTIONS[stack] ?? [])
  const ask = (script: string) =>
    runCommand({ file: '/bin/sh', args: ['-c', script], cwd: '/', env, timeoutMs: ASK_MS_MAX })
  const answers = await Promise.all(questions.map(ask))
  // A package manager that is not installed has no registries.
  return answers.flatMap((ended) => (ended.kind === 'ended' ? registryRules(ended.stdout.toString()) : []))
}
