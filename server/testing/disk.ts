// Creates disks for single tests, if the machine allows mounting.
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

/**
 * Whether this machine can mount ordinary disks, which are in memory, and disks with a journal, which are in a file.
 */
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

// A skipped test gives no reason by itself.
for (const [what, isAllowed] of Object.entries(mounts))
  if (!isAllowed)
    process.stderr.write(`This machine lets no test mount a disk in a ${what}: some are left out.\n`)

/** Mounts a disk: in memory with the given size in megabytes, or from an image file. */
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
    remount: (options: string) => run('mount', '-o', `remount,${options}`, at),
    /** Fills the disk to the last byte, as another program might. */
    fill() {
      const handle = fs.openSync(other, 'w')
      for (const size of [2 ** 20, 4096])
        try {
          for (;;) fs.writeSync(handle, Buffer.alloc(size, 1))
        } catch {
          // The disk has no space for another piece of this size.
        }
      fs.closeSync(handle)
    },
    empty: () => fs.rmSync(other),
    /** Triggers an error after which the system makes the disk read-only. */
    fail() {
      const device = fs
        .readFileSync('/proc/mounts', 'utf8')
        .split('\n')
        .find((line) => line.includes(` ${at} `))
      fs.writeFileSync(`/sys/fs/ext4/${path.basename(device?.split(' ')[0] ?? '')}/trigger_fs_error`, '1')
    },
  }
}

/** Creates an image file with an empty disk of the given size in megabytes. */
export function makeImage(megabytes: number): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'data-store-image-'))
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }))
  const image = path.join(folder, 'image')
  fs.writeFileSync(image, '')
  fs.truncateSync(image, megabytes * 2 ** 20)
  run('mkfs.ext4', '-q', image)
  return image
}

/** Copies an image as it is on disk, without data that the system has not written yet. */
export function copyImage(image: string): string {
  const copy = image.endsWith('copy') ? image.slice(0, -4) : `${image}copy`
  run('cp', '--sparse=always', image, copy)
  return copy
}
