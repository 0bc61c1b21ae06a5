// Simulates power cuts: data that the system has not written to the disk is lost. In the first round, the store was
// just created.
import { expect, it } from 'vitest'

import { copyImage, makeImage, mountDisk, mounts } from '../../testing/disk.ts'
import { anyMoment, clusterOf, contentsOf, kill, open, pause, processesIn } from '../../testing/embedded.ts'
import type { StoreContents } from '../../testing/writer.ts'

/** Number of power cuts; CUTS=60 runs more by hand. */
const rounds = Number(process.env.CUTS ?? 3)
const writers = 16

it.runIf(mounts.file)(
  `loses nothing that was acknowledged to ${writers} writers, ${rounds} times`,
  async () => {
    let image = makeImage(400)
    let disk = mountDisk(image)
    const acknowledged: string[] = []
    const check = ({ refs, ...counts }: StoreContents) => {
      const found = new Set(refs)
      expect(acknowledged.filter((ref) => !found.has(ref))).toEqual([])
      expect(counts).toEqual({ usersWithoutEvent: 0, eventsWithoutUser: 0, counted: found.size })
    }
    for (let round = 0; round < rounds; round++) {
      const writer = open(disk.folder, { name: `round${round}`, writers })
      await writer.says('wrote', 1 + Math.floor(Math.random() * 300))
      await anyMoment()
      // All processes are paused, so that the copy is of a single moment.
      const all = processesIn(clusterOf(disk.folder))
      writer.signal('SIGSTOP')
      all.forEach(pause)
      try {
        image = copyImage(image)
      } finally {
        await writer.kill()
        all.forEach(kill)
      }
      check(await writer.found)
      acknowledged.push(...writer.said.wrote)
      disk.unmount()
      disk = mountDisk(image)
    }
    check(await contentsOf(disk.folder))
  },
)
