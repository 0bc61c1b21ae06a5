/** Destination of an export, written piece by piece. */
export interface Sink {
  write(text: string): Promise<void>
  close(): Promise<void>
  /** Removes an unfinished file from the disk; frees the memory of a file kept in the browser, finished or not. */
  discard(): Promise<void>
}

/** Error for a file that could not be written, for example because the disk is full. */
export class FileFailure extends Error {
  override readonly name = 'FileFailure'
}

/** `FileSystemFileHandle`, whose type lacks `remove`. */
type FileHandle = FileSystemFileHandle & { remove?(): Promise<void> }
interface Picker {
  showSaveFilePicker?(options: {
    readonly suggestedName: string
    readonly types: readonly { readonly accept: Readonly<Record<string, readonly string[]>> }[]
  }): Promise<FileHandle>
}

export interface FileKind {
  readonly name: string
  /** Media type, without parameters. */
  readonly type: string
}

export interface OpenFile {
  /** File name; the one that the person chose, if they were asked. */
  readonly name: string
  readonly sink: Sink
  /** Passes the file to the browser's downloads; undefined for a file that was written to disk. */
  readonly download?: (() => void) | undefined
}

/**
 * Opens a file for writing: on disk if the browser can ask for a location, which keeps the content out of memory;
 * otherwise in the browser until it is downloaded. Returns `undefined` if the person cancelled.
 */
export async function openFile(kind: FileKind): Promise<OpenFile | undefined> {
  const browser = window as Picker
  if (!browser.showSaveFilePicker) return createDownload(kind)
  try {
    const extension = kind.name.slice(kind.name.lastIndexOf('.'))
    const handle = await browser.showSaveFilePicker({
      suggestedName: kind.name,
      types: [{ accept: { [kind.type]: [extension] } }],
    })
    return { name: handle.name, sink: await openDiskSink(handle) }
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return undefined
    // The browser has the dialog but may not show it here, because of a policy or in a cross-origin frame.
    return createDownload(kind)
  }
}

async function openDiskSink(handle: FileHandle): Promise<Sink> {
  const stream = await handle.createWritable()
  const writer = stream.getWriter()
  let isClosed = false
  const rethrow = async (work: Promise<void>) => {
    try {
      await work
    } catch (cause) {
      throw new FileFailure('The file could not be written.', { cause })
    }
  }
  return {
    write: (text) => (text === '' ? Promise.resolve() : rethrow(writer.write(text))),
    async close() {
      await rethrow(writer.close())
      isClosed = true
    },
    async discard() {
      if (isClosed) return
      // The browser writes the data to a temporary file until the file is closed. Until then, an empty file holds the
      // name.
      await writer.abort().catch(() => undefined)
      const { size } = await handle.getFile().catch(() => ({ size: 0 }))
      if (size === 0) await handle.remove?.().catch(() => undefined)
    },
  }
}

function startDownload(url: string, name: string): void {
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
}

const partCharacters = 1024 * 1024

function createDownload({ name, type }: FileKind): OpenFile {
  // Blobs live outside the page's memory, and on disk if they are large, so only the last part is kept as text.
  let blob = new Blob([], { type })
  let rest = ''
  let url: string | undefined
  const moveToBlob = () => {
    blob = new Blob([blob, rest], { type })
    rest = ''
  }
  const download = () => {
    if (url === undefined) return
    startDownload(url, name)
  }
  return {
    name,
    download,
    sink: {
      async write(text) {
        rest += text
        if (rest.length >= partCharacters) moveToBlob()
      },
      async close() {
        moveToBlob()
        url = URL.createObjectURL(blob)
        blob = new Blob()
        download()
      },
      async discard() {
        if (url !== undefined) URL.revokeObjectURL(url)
        url = undefined
        blob = new Blob()
        rest = ''
      },
    },
  }
}

export async function saveText(kind: FileKind, text: string): Promise<void> {
  const { sink } = createDownload(kind)
  await sink.write(text)
  await sink.close()
  // The delay is ample: the browser has read the file by then.
  setTimeout(() => void sink.discard(), 60_000)
}

/** Passes a file to the browser's downloads. */
export function saveBlob(name: string, blob: Blob): void {
  const url = URL.createObjectURL(blob)
  startDownload(url, name)
  // The delay is ample: the browser has read the file by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
