import { commandGateWorld } from './command-gate-world.ts'
import { useContainments } from './containments.ts'
import { gateConformance } from './gate.ts'

for (const containment of await useContainments()) {
  gateConformance(`command, under ${containment.kind}`, () => commandGateWorld(containment))
}
