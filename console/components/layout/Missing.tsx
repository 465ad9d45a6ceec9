import { useText } from '../../text/catalogue.ts'
import { partTexts } from '../texts.ts'
import { Empty } from './Empty.tsx'

/** For an address that leads nowhere. */
export function Missing() {
  const t = useText(partTexts)
  return <Empty title={t('missing')}>{t('missingWhy')}</Empty>
}
