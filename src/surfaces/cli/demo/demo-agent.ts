import { isProblem, type Problem, unwrap } from '../../../core/model/problem.ts'
import { PLAIN_AGENT } from '../../../core/model/settings.ts'
import type { World } from '../world.ts'
import { claudeSettings, demoSettings, SCRIPTED_SETTINGS } from './project.ts'

/** Agent of the demo, with the files it needs. */
export interface DemoAgent {
  /** One-line description. */
  readonly about: string
  readonly files: Readonly<Record<string, string>>
  close(): Promise<void>
}

/** Sets up Claude Code against a lab, or returns why it cannot be used. */
export async function claudeAgent(world: World): Promise<DemoAgent | Problem> {
  const { stringify } = await import('yaml')
  const { parseScenario } = await import('../../../lab/parse-scenario.ts')
  const { openLab } = await import('../../../lab/lab.ts')
  const { demoScenario } = await import('./scenario.ts')
  const text = stringify(demoScenario(), { lineWidth: 0 })
  const scenario = unwrap(parseScenario('scenario.yaml', text))
  const lab = unwrap(await openLab({ scenario, now: () => world.clock.now() }))
  const unready = await unreadyClaude(world, lab.url)
  if (unready !== null) {
    await lab.close()
    return unready
  }
  return {
    about: 'Claude Code works on it; a lab on this machine plays scenario.yaml in place of the model.',
    files: { 'longhaul.yaml': demoSettings(claudeSettings(lab.url)), 'scenario.yaml': text },
    close: () => lab.close(),
  }
}

/** Sets up the scripted agent, which is always available. */
export async function scriptedAgent(): Promise<DemoAgent> {
  const { stringify } = await import('yaml')
  const { demoScript } = await import('./scenario.ts')
  return {
    about: 'A scripted agent works on it: it plays script.yaml, and no model is called.',
    files: {
      'longhaul.yaml': demoSettings(SCRIPTED_SETTINGS),
      'script.yaml': stringify(demoScript(), { lineWidth: 0 }),
    },
    close: async () => {},
  }
}

async function unreadyClaude({ adapters, clock, folder, environment }: World, url: string): Promise<Problem | null> {
  const repository = unwrap(await (await adapters()).find(folder, environment))
  const tools = await repository.openTools(clock, 'rounds')
  if (isProblem(tools)) return tools
  const env = { ANTHROPIC_BASE_URL: url, CLAUDE_CODE_OAUTH_TOKEN: 'test-token' }
  const unready = await tools.driver('claude')?.ready({ agent: { ...PLAIN_AGENT, driver: 'claude', env } })
  await tools.close()
  return unready ?? null
}
