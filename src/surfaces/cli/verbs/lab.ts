import { resolve } from 'node:path'
import { unwrap } from '../../../core/model/problem.ts'
import type { Lab } from '../../../lab/lab.ts'
import type { LabRequest } from '../../../lab/lab-request.ts'
import { EXIT } from '../exit-codes.ts'
import { refuse } from '../refusal.ts'
import { timeOf } from '../render/times.ts'
import { argument, textOption, type Verb, type VerbContext } from '../verb.ts'

/** `longhaul lab`: starts a model server on this machine that plays a scenario. */
export const labVerb: Verb = {
  about:
    'Starts a model server on this machine that plays a scenario: real agents work against it offline, without spending anything. Logs one line per request. Stop it with Ctrl-C.',
  examples: ['longhaul lab scenario.yaml', 'longhaul lab scenario.yaml --port 8080 --record requests.jsonl'],
  shape: (command) =>
    void command
      .argument('<scenario>', 'scenario file: what the model does')
      .option('--port <number>', 'port to listen on; by default a free one')
      .option('--record <file>', 'append each request to this file, as a line of JSON')
      .option('--json', 'print each request as a line of JSON'),
  async run(context, typed) {
    const { world } = context
    const { readScenario } = await import('../../../lab/parse-scenario.ts')
    const { openLab } = await import('../../../lab/lab.ts')
    const file = argument(typed, 0)
    const scenario = unwrap(await readScenario(file, resolve(world.folder, file)))
    const record = textOption(typed, 'record')
    const lab = unwrap(
      await openLab({
        scenario,
        now: () => world.clock.now(),
        port: portOf(textOption(typed, 'port')),
        record: record === null ? null : resolve(world.folder, record),
        onRequest: (request) => show(context, request),
      }),
    )
    printUse(context, lab)
    await interruption(context)
    await lab.close()
    return EXIT.done
  },
}

const PORT_MAX = 65_535

function portOf(text: string | null): number {
  const port = Number(text ?? 0)
  const isPort = Number.isInteger(port) && port >= 0 && port <= PORT_MAX
  return isPort ? port : refuse('wrong-use', `"${text}" is not a port.`, `Use a whole number up to ${PORT_MAX}.`)
}

/** Prints how to point an agent, and Longhaul, at the lab. */
function printUse({ output }: VerbContext, { url }: Lab): void {
  const lines = [
    `The lab is listening at ${url}. Stop it with Ctrl-C.`,
    '',
    'To run an agent by hand, with a separate home:',
    `  env -i HOME="$(mktemp -d)" PATH="$PATH" ANTHROPIC_BASE_URL=${url} ANTHROPIC_API_KEY=test-key \\`,
    '    DISABLE_AUTOUPDATER=1 DISABLE_TELEMETRY=1 CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1 claude -p "…"',
    '',
    'In longhaul.yaml:',
    `  agent: { driver: claude, env: { ANTHROPIC_BASE_URL: "${url}", ANTHROPIC_API_KEY: test-key } }`,
    '',
  ]
  for (const line of lines) output.line(line)
  output.json({ url })
}

function show({ output }: VerbContext, request: LabRequest): void {
  const { at, task, attempt, sessionNumber, round, rule, step, answer, tokensSent } = request
  const agent = task === null ? '-' : attempt === null ? task : `${task}-a${attempt}`
  const where = rule === null ? '' : ` rule ${rule} step ${step}`
  output.line(
    `${timeOf(at)} ${agent} session ${sessionNumber ?? '-'} round ${round ?? '-'}${where}: ${answer} (${tokensSent} tokens sent)`,
  )
  output.json(request)
}

function interruption({ world }: VerbContext): Promise<void> {
  return new Promise((resolve) => {
    const interrupted = () => {
      for (const close of closers) close()
      resolve()
    }
    const closers = (['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map((signal) => world.onSignal(signal, interrupted))
  })
}
