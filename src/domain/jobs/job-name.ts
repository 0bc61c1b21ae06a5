import type { Job } from '#contract/index.ts'
import { batchText } from '../../messages/index.ts'
import { propertyLabel, typeLabel, withSmallLetter } from '../labels.ts'

/** Names a bulk change by what it changes: "Plate (car)". */
export const nameJob = ({ set: { entity, key } }: Job) =>
  batchText.job.what({ property: propertyLabel(entity, key), entity: withSmallLetter(typeLabel(entity)) })
