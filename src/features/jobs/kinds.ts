import type { Job } from '#contract/index.ts'
import { jobsText } from '../../messages/index.ts'
import { deleteView } from './DeleteJob.tsx'
import { exportView } from './ExportJob.tsx'
import { importView } from './ImportJob.tsx'
import { setView } from './SetJob.tsx'
import type { JobView } from './view.ts'

const views: Readonly<Record<string, JobView>> = {
  set: setView,
  export: exportView,
  import: importView,
  delete: deleteView,
}

/** View of a kind that this console does not know: what all jobs have in common. */
const otherView: JobView = { text: jobsText.other }

export const viewOf = ({ kind }: Job): JobView => views[kind] ?? otherView
