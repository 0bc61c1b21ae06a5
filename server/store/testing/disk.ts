// Disks of a test's own, where the machine lets it mount some.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

import { onTestFinished } from 'vitest'

const succeeds = (command: string, ...args: string[]) =>
  spawnSync(command, args, { stdio: 'ignore' }).status === 0

function run(command: string, ...args: string[]): void {
  if (!succeeds(command, ...args)) throw new Error(`${command} ${args.join(' ')} failed`)
}

/** Ordinary ones, which are in memory, and ones with a journal, which are in a file. */
export const mounts = {
  memory: succeeds('unshare', '--mount', 'mount', '-t', 'tmpfs', 'none', os.tmpdir()),
  file: mountsFiles(),
}

function mountsFiles(): boolean {
  const image = path.join(os.tmpdir(), `data-store-image-${process.pid}`)
  fs.writeFileSync(image, '')
  fs.truncateSync(image, 16 * 2 ** 20)
  try {
    return (
      succeeds('mkfs.ext4', '-q', image) &&
      succeeds('unshare', '--mount', 'mount', '-o', 'loop', image, os.tmpdir())
    )
  } finally {
    fs.rmSync(image)
  }
}

// A test that is left out says nothing by itself.
for (const [what, isAllowed] of Object.entries(mounts))
  if (!isAllowed)
    process.stderr.write(`This machine lets no test mount a disk in a ${what}: some are left out.\n`)

/** Mounts a disk of so many megabytes in memory, or one that an image has. */
export function mountDisk(source: number | string) {
  const at = fs.mkdtempSync(path.join(os.tmpdir(), 'data-store-disk-'))
  const args = typeof source === 'number' ? ['-t', 'tmpfs', '-o', `size=${source}m,mode=755`, 'none'] : []
  run(
    'mount',
    ...args,
    ...(typeof source === 'string' ? ['-o', 'loop,errors=remount-ro,commit=300', source] : []),
    at,
  )
  fs.chmodSync(at, 0o755)
  let isMounted = true
  const unmount = () => {
    if (isMounted) run('umount', '--lazy', at)
    isMounted = false
    fs.rmSync(at, { recursive: true, force: true })
  }
  onTestFinished(unmount)
  const other = path.join(at, 'other')
  return {
    folder: path.join(at, 'data'),
    unmount,
    sync: () => run('sync', '--file-system', at),
    /** Mounted anew with other options. */
    remount: (options: string) => run('mount', '-o', `remount,${options}`, at),
    /** By another program, to the last byte. */
    fill() {
      const handle = fs.openSync(other, 'w')
      for (const size of [2 ** 20, 4096])
        try {
          for (;;) fs.writeSync(handle, Buffer.alloc(size, 1))
        } catch {
          // Full, as far as pieces of this size go.
        }
      fs.closeSync(handle)
    },
    empty: () => fs.rmSync(other),
    /** An error after which the system lets it be read only. */
    fail() {
      const device = fs
        .readFileSync('/proc/mounts', 'utf8')
        .split('\n')
        .find((line) => line.includes(` ${at} `))
      fs.writeFileSync(`/sys/fs/ext4/${path.basename(device?.split(' ')[0] ?? '')}/trigger_fs_error`, '1')
    },
  }
}

/** A file with an empty disk of so many megabytes. */
export function makeImage(megabytes: number): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'data-store-image-'))
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }))
  const image = path.join(folder, 'image')
  fs.writeFileSync(image, '')
  fs.truncateSync(image, megabytes * 2 ** 20)
  run('mkfs.ext4', '-q', image)
  return image
}

/** Copies an image as the disk has it, without what the system has not written yet. */
export function copyImage(image: string): string {
  const copy = image.endsWith('copy') ? image.slice(0, -4) : `${image}copy`
  run('cp', '--sparse=always', image, copy)
  return copy
}
