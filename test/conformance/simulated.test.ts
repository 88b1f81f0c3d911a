import { driverConformance } from './driver.ts'
import { landingConformance } from './landing.ts'
import { simulatedDriverWorld, simulatedGitWorld } from './simulated-world.ts'
import { workspacesConformance } from './workspaces.ts'

workspacesConformance('simulated', simulatedGitWorld)
landingConformance('simulated', simulatedGitWorld)
driverConformance('simulated', simulatedDriverWorld)
