import { useContainments } from './containments.ts'
import { driverConformance } from './driver.ts'
import { scriptedWorld } from './scripted-world.ts'

for (const containment of await useContainments()) {
  driverConformance(`scripted, under ${containment.kind}`, () => scriptedWorld(containment))
}
