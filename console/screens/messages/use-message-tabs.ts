import type { Tab } from '../../components/layout/Page.tsx'
import { pathOf } from '../../paths.ts'
import { useText } from '../../text/catalogue.ts'
import { type ChannelName, STEPS, type Step } from './names.ts'
import { messageTexts } from './texts.ts'

/** The steps of writing a message, and its report. */
export function useMessageTabs(
  { name: channel, hasVersions }: { name: ChannelName; hasVersions: boolean },
  id: string,
  open: Step | 'report',
): Tab[] {
  const t = useText(messageTexts)
  const to = pathOf.message(channel, id)
  return [
    ...STEPS.filter((step) => step !== 'versions' || hasVersions).map((step) => ({
      label: t(`step_${step}`),
      to,
      search: { step },
      isOpen: step === open,
    })),
    { label: t('report'), to: `${to}/report`, isOpen: open === 'report' },
  ]
}
