import { mergeConfig } from 'vite'
import { defineConfig } from 'vitest/config'

import build from './vite.config.ts'

/**
 * Tests that start the service, or a PostgreSQL, in processes and folders of their own, kill them, fill their disks, upgrade
 * and restore them. They wait more than they compute, and are half of what the service's tests take: several at a time,
 * after all others, and in `npm run check` alone.
 */
const nights = [
  'server/commands/backup*.test.ts',
  'server/erasures/finalising.test.ts',
  'server/commands/load.test.ts',
  'server/replacing.test.ts',
  'server/stopping.test.ts',
  'server/commands/upgrade-store.test.ts',
  'server/**/kill.test.ts',
  'server/jobs/two-processes.test.ts',
  'server/store/{backup,database-gone}.test.ts',
  'server/store/engine/*.test.ts',
  'server/store/upgrade/pglite.test.ts',
]

/** Tests of the API document that run a second time, with definitions of all keys. */
const defined = [
  'server/testing/define-keys.test.ts',
  'server/{users/users,entities/entities,changesets/changesets}.test.ts',
  'server/segments/{segments,membership}.test.ts',
]

const serviceTests = {
  environment: 'node',
  // One after the other in the same processes: the service is loaded there once, and not a hundred times.
  isolate: false,
  globalSetup: 'server/testing/postgresql.ts',
  setupFiles: ['server/testing/setup.ts'],
}

const consoleTests = {
  environment: './src/testing/environment.ts',
  globalSetup: 'server/testing/postgresql.ts',
  setupFiles: ['server/testing/setup.ts', 'src/testing/setup.ts'],
}

/** Tests of the console that are about what is loaded, or that load it anew: each in a process of its own. */
const alone = [
  'src/app/sent-twice.test.tsx',
  'src/app/webhooks-mark.test.tsx',
  'src/boot/boot.test.ts',
  'src/domain/filters/german.test.ts',
  'src/domain/values/german.test.ts',
  'src/features/entities/two-editors.test.ts',
  'src/messages/language/format.test.ts',
  'src/messages/voice.test.ts',
  'src/ui/duration.test.ts',
]

export default mergeConfig(
  build,
  defineConfig({
    test: {
      // One more than the cores of the machine that checks each change: a test waits for PostgreSQL and timers half its time.
      maxWorkers: 3,
      // For a machine that has other work: nothing waits for less than half a minute, and a test for longer than its waits.
      expect: { poll: { timeout: 60_000 } },
      testTimeout: 240_000,
      hookTimeout: 240_000,
      projects: [
        {
          extends: true,
          test: { name: 'architecture', environment: 'node', include: ['{docs,bench,e2e}/**/*.test.ts'] },
        },
        {
          extends: true,
          test: { name: 'contract', environment: 'node', include: ['contract/**/*.test.ts'] },
        },
        {
          extends: true,
          test: {
            ...serviceTests,
            name: 'server',
            include: ['server/**/*.test.ts'],
            exclude: [...nights, 'server/testing/define-keys.test.ts'],
          },
        },
        {
          extends: true,
          test: {
            ...serviceTests,
            name: 'defined',
            env: { TEST_DEFINITIONS: 'all' },
            include: defined,
          },
        },
        {
          extends: true,
          test: {
            ...serviceTests,
            name: 'nights',
            maxWorkers: 4,
            sequence: { groupOrder: 1 },
            // Enough requests for every operation to be reached; the same each time, so that this fails by no chance. Another
            // endpoint makes them other ones, with which a seed may miss a rare operation.
            env: { FUZZ_COUNT: '20000', FUZZ_SEED: '3' },
            include: [...nights, 'server/fuzzing/fuzzing.test.ts'],
          },
        },
        {
          extends: true,
          test: {
            ...consoleTests,
            name: 'console',
            // One after the other, as those of the service; src/testing/setup.ts gives each file an empty page.
            isolate: false,
            include: ['src/**/*.test.{ts,tsx}'],
            exclude: alone,
          },
        },
        { extends: true, test: { ...consoleTests, name: 'console alone', include: alone } },
      ],
    },
  }),
)
