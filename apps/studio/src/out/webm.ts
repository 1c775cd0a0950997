// Records a short film of the view as shown.
export interface Recording {
  done: Promise<Blob | null>;
  cancel(): void;
}

export const longest_film = 8;

export function record(canvas: HTMLCanvasElement, seconds: number, progress: (share: number) => void): Recording {
  const kind = ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm'].find((k) => MediaRecorder.isTypeSupported(k));
  if (!kind) throw new Error('This browser cannot record WebM; take a PNG, or bake a GLB instead.');
  const recorder = new MediaRecorder(canvas.captureStream(30), { mimeType: kind, videoBitsPerSecond: 6_000_000 });
  const pieces: Blob[] = [];
  let cancelled = false;
  const started = performance.now();
  recorder.ondataavailable = (event) => pieces.push(event.data);
  const timer = setInterval(() => {
    const share = (performance.now() - started) / 1000 / seconds;
    progress(Math.min(1, share));
    if (share >= 1) stop();
  }, 100);
  const stop = () => {
    clearInterval(timer);
    if (recorder.state !== 'inactive') recorder.stop();
  };
  const done = new Promise<Blob | null>((finish) => {
    recorder.onstop = () => finish(cancelled ? null : new Blob(pieces, { type: 'video/webm' }));
  });
  recorder.start(250);
  return {
    done,
    cancel() {
      cancelled = true;
      stop();
    },
  };
}
