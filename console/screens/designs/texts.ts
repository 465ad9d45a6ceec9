import { catalogue } from '../../text/catalogue.ts'
import en from './en.ts'

export const designsTexts = catalogue(en, () => import('./fr.ts'))
