import { claudeWorld } from './claude-world.ts'
import { useContainment } from './containments.ts'
import { driverConformance } from './driver.ts'

const containment = await useContainment()
driverConformance(`claude, under ${containment.kind}`, () => claudeWorld(containment))
