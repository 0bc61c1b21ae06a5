import {
  IconBolt,
  IconChartPie,
  IconEye,
  IconHome,
  IconListCheck,
  IconUsers,
  IconVocabulary,
  IconWebhook,
} from '@tabler/icons-react'

export const areaIcons = {
  home: IconHome,
  users: IconUsers,
  segments: IconChartPie,
  events: IconBolt,
  webhooks: IconWebhook,
  dictionary: IconVocabulary,
  jobs: IconListCheck,
  audit: IconEye,
}
