import { isProblem, type Problem, problem } from '../../core/model/problem.ts'
import { gitAt } from '../../git/git.ts'
import { findIdentity, findRepository, openRepository } from '../../git/repository.ts'
import type { Containment } from '../../process/start/containment.ts'
import { buildEnvironment } from '../../process/start/environment.ts'
import { probeContainment } from '../../process/start/probe-containment.ts'

type Variables = Readonly<Record<string, string>>

/** Finds out what doctor reports about the machine and the repository. */
export async function examineMachine(folder: string, environment: Variables) {
  const git = await gitAt({ folder }, environment).run(['version'])
  const repository = await findRepository(folder, environment)
  const opened = isProblem(repository) ? repository : await openRepository(folder, environment)
  const identity = isProblem(repository) ? repository : await findIdentity(repository, environment)
  return {
    git: isProblem(git) ? git : git.trim(),
    repository: isProblem(opened) ? opened : opened.checkout,
    identity: isProblem(identity) ? identity : `${identity.author.name} <${identity.author.email}>`,
  }
}

/** Opens the best containment that this machine offers, or refuses to start agents without one. */
export async function openContainment(environment: Variables): Promise<Containment | Problem> {
  const containment = await probeContainment({ env: buildEnvironment(environment, [], {}) })
  if (containment.kind !== 'not-started') return containment
  return problem({
    code: 'no-containment',
    message: `Nothing on this machine can end agents together with the engine: ${containment.message}`,
    hint: 'Install bubblewrap (bwrap), or build Longhaul again.',
    retry: 'person',
  })
}
