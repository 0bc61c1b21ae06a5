import fs from 'node:fs'
import path from 'node:path'
import type { TestSequencer, TestSpecification, VitestPluginContext } from 'vitest/node'

import config from '../vitest.config.ts'

const root = path.join(import.meta.dirname, '..')
const wordsOf = (text: string) => new Set(text.toLowerCase().match(/\p{L}{4,}|[^\x00-\x7F]/gu))
/** Break in the code, as breaks.json has it; nothing in code that is whole. */
const broken = process.env.BROKEN ?? ''

/**
 * Runs the tests first that are most likely to catch the break: tests that share the most words with it, weighted
 * towards rare words, and tests closest to the broken file.
 */
class LikeliestFirst implements TestSequencer {
  shard(files: TestSpecification[]) {
    return files
  }

  sort(files: TestSpecification[]) {
    const { file: place = '' } = JSON.parse(broken || '{}') as { readonly file?: string }
    const folders = place.split('/')
    const texts = new Map(
      files.map(({ moduleId }) => [moduleId, wordsOf(moduleId + fs.readFileSync(moduleId, 'utf8'))]),
    )
    const weights = [...wordsOf(broken)].map((word) => {
      const having = [...texts.values()].filter((words) => words.has(word)).length
      return [word, Math.log(files.length / Math.max(1, having))] as const
    })
    const nearness = (file: string) => {
      const parts = path.relative(root, file).split(path.sep)
      return folders.findIndex((part, index) => part !== parts[index])
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
