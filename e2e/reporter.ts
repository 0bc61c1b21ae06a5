// Prints a line for each journey, and ten at most for one that fails. The whole error, and the page as it was, are in
// files of test-results/.
import fs from 'node:fs'
import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type {
  FullConfig,
  FullResult,
  Reporter,
  TestCase,
  TestError,
  TestResult,
} from '@playwright/test/reporter'

const root = path.join(import.meta.dirname, '..')
const shownLines = 6
const shownWidth = 200

/** Returns what a person needs first of an error: its message, its locator, and the line of the journey. */
export function describeFailure(error: TestError, file: string): readonly string[] {
  const [message = '', log = ''] = stripVTControlCharacters(error.message ?? error.value ?? '').split(
    /^Call log:$/m,
  )
  const lines = message.split('\n').filter((line) => line.trim() !== '')
  const locator = /waiting for (.+)/.exec(log)?.[0]
  const said = [
    ...lines.slice(0, shownLines),
    ...(lines.length > shownLines ? ['…'] : []),
    ...(locator === undefined || /^Locator:/m.test(message) ? [] : [locator]),
  ]
  // A helper may have thrown the error, so the line of the journey is the one that called it.
  const line = Number.parseInt(error.stack?.split(`${file}:`)[1] ?? '', 10)
  const code = fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split('\n')[line - 1]?.trim() : undefined
  return [...said, ...(code === undefined ? [] : [`${path.relative(root, file)}:${line}: ${code}`])].map(
    (each) => (each.length > shownWidth ? `${each.slice(0, shownWidth)}…` : each),
  )
}

/** Writes the whole errors beside the snapshot of the page, and returns the folder of both. */
function keepErrors({ errors, attachments }: TestResult, outputDir: string): string {
  const [attached] = attachments.flatMap((each) => each.path ?? [])
  const folder = attached === undefined ? outputDir : path.dirname(attached)
  fs.mkdirSync(folder, { recursive: true })
  const texts = errors.map(({ message, stack, value }) =>
    stripVTControlCharacters(stack ?? message ?? value ?? ''),
  )
  fs.writeFileSync(path.join(folder, 'errors.txt'), `${texts.join('\n\n')}\n`)
  return path.relative(root, folder)
}

export default class ShortReporter implements Reporter {
  #config: FullConfig | undefined
  #count = 0
  readonly #failed: string[] = []

  onBegin(config: FullConfig) {
    this.#config = config
  }

  onTestEnd(test: TestCase, result: TestResult) {
    const { file, line } = test.location
    const [, project = '', , ...titles] = test.titlePath()
    const name = `[${project}] › ${path.relative(root, file)}:${line}:1 › ${titles.join(' › ')}`
    const isFine = test.ok()
    const mark = result.status === 'skipped' ? '-' : isFine ? '✓' : '✘'
    console.log(`  ${mark} ${(this.#count += 1)} ${name} (${(result.duration / 1000).toFixed(1)} s)`)
    if (isFine) return
    const folder = keepErrors(result, this.#config?.projects[0]?.outputDir ?? 'test-results')
    const [error] = result.errors
    const said = error ? describeFailure(error, file) : [`ended as ${result.status}`]
    this.#failed.push(name)
    console.log(`     ${[...said, `All of it: ${folder}`].join('\n     ')}`)
  }

  onError(error: TestError) {
    console.log(describeFailure(error, '').join('\n'))
  }

  onEnd({ status, duration }: FullResult) {
    for (const [index, failure] of this.#failed.entries()) console.log(`\n  ${index + 1}) ${failure}`)
    const passed = this.#count - this.#failed.length
    console.log(
      `\n  ${this.#failed.length} failed, ${passed} others, ${(duration / 60_000).toFixed(1)} min: ${status}`,
    )
  }

  printsToStdio() {
    return true
  }
}
