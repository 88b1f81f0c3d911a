import { useContainment } from './containments.ts'
import { landingConformance } from './landing.ts'
import { realGitWorld } from './real-git-world.ts'
import { workspacesConformance } from './workspaces.ts'

const containment = await useContainment()

workspacesConformance('shared clones', () => realGitWorld(containment))
landingConformance('git', () => realGitWorld(containment))
