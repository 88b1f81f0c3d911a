import { type Problem, problem } from '../core/model/problem.ts'

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Reads this process's environment; the only place that does. */
export function readEnvironment(): Environment {
  return { ...process.env }
}

/** Returns the variables that have a value. */
export function definedIn(environment: Environment): Record<string, string> {
  return Object.fromEntries(Object.entries(environment).flatMap(([name, value]) => (value ? [[name, value]] : [])))
}

/** Replaces values of the form `$NAME` with that variable of another environment. */
export function resolveEnv(
  env: Readonly<Record<string, string>>,
  from: Environment,
): Readonly<Record<string, string>> | Problem {
  const wanted = Object.values(env).flatMap((value) => nameIn(value) ?? [])
  const missing = [...new Set(wanted.filter((name) => from[name] === undefined))]
  if (missing.length > 0) return missingVariables(missing)
  return Object.fromEntries(Object.entries(env).map(([key, value]) => [key, from[nameIn(value) ?? ''] ?? value]))
}

function nameIn(value: string): string | null {
  return /^\$([A-Za-z_][A-Za-z0-9_]*)$/.exec(value)?.[1] ?? null
}

function missingVariables(names: readonly string[]): Problem {
  const list = names.map((name) => `$${name}`).join(', ')
  return problem({
    code: 'variable-missing',
    message: `The settings use ${list}, missing from your environment.`,
    hint: `Set it (export ${names[0]}=…) and start again, or remove it from longhaul.yaml.`,
    retry: 'person',
  })
}
