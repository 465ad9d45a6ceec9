import { catalogue } from '../../text/catalogue.ts'
import en from './en.ts'

export const usedTexts = catalogue(en, () => import('./fr.ts'))
