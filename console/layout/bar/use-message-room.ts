import { useTranslator } from '../../text/catalogue.ts'
import { layoutTexts } from '../texts.ts'

/** Breadcrumb of a message: the list of campaigns, or that of messages on demand. */
export function useMessageRoom(isCampaign: boolean): { label: string; to: string } {
  const t = useTranslator(layoutTexts)
  return isCampaign ? { label: t('campaigns'), to: '/messages' } : { label: t('onDemand'), to: '/messages/on-demand' }
}
