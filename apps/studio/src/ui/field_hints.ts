// How some settings are best shown. A field without a hint gets its control from the field table alone.
export interface Hint {
  label?: string;
  /** The useful part of the allowed range, for a slider. */
  min?: number;
  max?: number;
  step?: number;
  /** Where a slider starts when "auto" is switched off. */
  start?: number;
  format?: (value: number) => string;
  /** Needs a bind, but a quick one that can run while the slider moves. */
  quick_bind?: boolean;
}

const percent = (v: number) => `${Math.round(v * 100)} %`;
const hundredths = (v: number) => v.toFixed(2);

export const field_hints: Record<string, Hint | undefined> = {
  frequency: { start: 4, min: 1, max: 20, step: 0.1, format: (v) => `${v.toFixed(1)} Hz` },
  damping: { min: 0.01, step: 0.01, format: hundredths },
  amount: { step: 0.05, format: percent },
  muscle: { label: 'Muscle share', step: 0.05, format: percent, quick_bind: true },
  delta: { step: 0.01, format: hundredths },
  bone_width: { max: 0.15, step: 0.005, format: (v) => `${(v * 100).toFixed(1)} %`, quick_bind: true },
  preserve_volume: { label: 'Joints keep their volume' },
  resolution: { start: 32, min: 8, max: 96, step: 2, format: String },
  share: { max: 4 },
  step: { max: 0.02, step: 0.0005, format: (v) => `${(v * 1000).toFixed(1)} ms` },
};
