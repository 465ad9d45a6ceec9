import type { PageTab } from '../../components/layout/ScreenPage.tsx'
import { objectPaths } from '../../paths.ts'
import { useTranslator } from '../../text/catalogue.ts'
import { MESSAGE_EDITOR_STEPS, type MessageChannelName, type MessageEditorStep } from './names.ts'
import { messageTexts } from './texts.ts'

/** The steps of writing a message, and its report. */
export function useMessageTabs(
  { name: channel, hasVersions }: { name: MessageChannelName; hasVersions: boolean },
  id: string,
  openTab: MessageEditorStep | 'report',
): PageTab[] {
  const t = useTranslator(messageTexts)
  const messagePath = objectPaths.message(channel, id)
  return [
    ...MESSAGE_EDITOR_STEPS.filter((step) => step !== 'versions' || hasVersions).map((step) => ({
      label: t(`step_${step}`),
      to: messagePath,
      search: { step },
      isOpen: step === openTab,
    })),
    { label: t('report'), to: `${messagePath}/report`, isOpen: openTab === 'report' },
  ]
}
