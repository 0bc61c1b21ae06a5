import fs from 'node:fs'
import path from 'node:path'

import type { TestSequencer, TestSpecification, VitestPluginContext } from 'vitest/node'

import config from '../vitest.config.ts'

const root = path.join(import.meta.dirname, '..')
const wordsOf = (text: string) => new Set(text.toLowerCase().match(/\p{L}{4,}|[^\x00-\x7F]/gu))
const broken = process.env.BROKEN ?? ''

/**
 * Runs the tests first that are most likely to catch a break (the patch in BROKEN): tests that share the most words
 * with the patch, weighted towards rare words, and tests closest to the broken file.
 */
class LikeliestFirst implements TestSequencer {
  shard(files: TestSpecification[]) {
    return files
  }

  sort(files: TestSpecification[]) {
    const place = /^\+\+\+ b\/(.+)$/m.exec(broken)?.[1]?.split('/') ?? []
    const texts = new Map(
      files.map(({ moduleId }) => [moduleId, wordsOf(moduleId + fs.readFileSync(moduleId, 'utf8'))]),
    )
    const weights = [...wordsOf(broken)].map((word) => {
      const having = [...texts.values()].filter((words) => words.has(word)).length
      return [word, Math.log(files.length / Math.max(1, having))] as const
    })
    const nearness = (file: string) => {
      const parts = path.relative(root, file).split(path.sep)
      return place.findIndex((part, index) => part !== parts[index])
    }
    const scores = new Map(
      [...texts].map(([file, words]) => [
        file,
        5 * nearness(file) + weights.reduce((sum, [word, weight]) => sum + (words.has(word) ? weight : 0), 0),
      ]),
    )
    const scoreOf = ({ moduleId }: TestSpecification) => scores.get(moduleId) ?? 0
    return files.toSorted((a, b) => scoreOf(b) - scoreOf(a))
  }
}

/** Cancels the run after LIMIT seconds, which skips the remaining tests. */
const limit = {
  name: 'limit',
  configureVitest({ vitest }: VitestPluginContext) {
    // The cancellation repeats every second because Vitest forgets one that comes before its run begins.
    const end = () => setInterval(() => void vitest.cancelCurrentRun('keyboard-input'), 1000).unref()
    setTimeout(end, Number(process.env.LIMIT ?? 600) * 1000).unref()
  },
}

export default {
  ...config,
  root,
  plugins: [...(config.plugins ?? []), limit],
  test: { ...config.test, maxWorkers: 1, sequence: { sequencer: LikeliestFirst } },
}
