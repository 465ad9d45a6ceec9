import { useText } from '../text/catalogue.ts'
import { Empty } from './Empty.tsx'
import { partTexts } from './texts.ts'

/** For an address that leads nowhere. */
export function Missing() {
  const t = useText(partTexts)
  return <Empty title={t('missing')}>{t('missingWhy')}</Empty>
}
