// The one time of the page: replay, slider and plots listen to it.

export class Clock {
  constructor(from, until) {
    this.from = from;
    this.until = until;
    this.length = Math.abs(until - from);
    this.direction = until < from ? -1 : 1;
    this.elapsed = 0;
    this.speed = 1; // units of the model's time in a second
    this.playing = false;
    this.loop = true;
    this.listeners = [];
  }

  get time() {
    return this.elapsed === this.length ? this.until : this.from + this.direction * this.elapsed;
  }

  listen(listener) {
    this.listeners.push(listener);
    listener(this);
  }

  tell() {
    for (const listener of this.listeners) listener(this);
  }

  set(time) {
    this.setElapsed((time - this.from) * this.direction);
  }

  setElapsed(elapsed) {
    this.elapsed = Math.min(this.length, Math.max(0, elapsed));
    this.tell();
  }

  play() {
    if (this.playing || this.length === 0) return;
    if (this.elapsed >= this.length) this.elapsed = 0;
    this.playing = true;
    let last = performance.now();
    const tick = (now) => {
      if (!this.playing) return;
      // A hidden page gets no ticks: the motion waits instead of leaping.
      this.advance(Math.min(0.5, Math.max(0, now - last) / 1000) * this.speed);
      last = now;
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
    this.tell();
  }

  advance(by) {
    let elapsed = this.elapsed + by;
    if (elapsed >= this.length) {
      if (this.loop) elapsed %= this.length;
      else this.playing = false;
    }
    this.setElapsed(elapsed);
  }

  pause() {
    this.playing = false;
    this.tell();
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }
}
