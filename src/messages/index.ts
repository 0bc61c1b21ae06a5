// Selects the language of the texts, which language/format.ts and index.html name. To add a language, create a second
// folder whose catalogues have the types of these, and a build that changes all three places. Each catalogue stays a
// separate module, so that a feature's texts are bundled with its chunk. What every catalogue is made with, in whatever
// language, is in language/.
export { accessText } from './en/access.ts'
export { attemptText } from './en/attempts.ts'
export { actorText, auditExportText, auditFilterText, auditText } from './en/audit.ts'
export { batchText } from './en/batch.ts'
export { changeText } from './en/changes.ts'
export { conflictText } from './en/conflict.ts'
export { deletedText } from './en/deleted.ts'
export { definitionText } from './en/definition.ts'
export { dictionaryText } from './en/dictionary.ts'
export { entityText, entityMergeText, historyText, targetText } from './en/entities.ts'
export {
  deliveriesText,
  deliveryStatusText,
  eventAboutText,
  eventChangesText,
  eventChartText,
  eventDetailText,
  eventExportText,
  eventFilterText,
  eventLogText,
  eventText,
  jumpText,
  liveText,
  savedViewText,
} from './en/events.ts'
export { failureText } from './en/failures.ts'
export { findText } from './en/find.ts'
export { homeText } from './en/home.ts'
export { jobsText } from './en/jobs.ts'
export { keysText } from './en/keys.ts'
export { importsText } from './en/imports.ts'
export { knownKeyText } from './en/known-keys.ts'
export { knownPropertyText } from './en/known-properties.ts'
export { listedText } from './en/listed.ts'
export { logPageText } from './en/log-page.ts'
export { newUserText } from './en/new-user.ts'
export { dataTypeText, readingText, valueText } from './en/values.ts'
export { pickerText } from './en/pickers.ts'
export { reasonText } from './en/reasons.ts'
export {
  filterBuilderText,
  filterSentenceText,
  segmentDetailText,
  segmentEditText,
  segmentFormText,
  segmentPreviewText,
  segmentText,
} from './en/segments.ts'
export { restoringText } from './en/restoring.ts'
export { scopeText } from './en/scopes.ts'
export { sharedText, shellText } from './en/shell.ts'
export { signInText } from './en/sign-in.ts'
export { activityText, userPageText, userEditText, evaluationText } from './en/user.ts'
export {
  listFilterText,
  listStepsText,
  deleteUsersText,
  selectionText,
  userListText,
  userText,
} from './en/users-list.ts'
export { transferText, userExportText } from './en/transfer.ts'
export { webhookFormText, webhookText } from './en/webhooks.ts'
export { webhooksMarkText } from './en/webhooks-mark.ts'
export { dateLocale, language, numberLocale } from './language/format.ts'
