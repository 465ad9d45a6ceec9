import { catalogue } from '../../text/catalogue.ts'
import en from './en.ts'

export const campaignTexts = catalogue(en, () => import('./fr.ts'))
