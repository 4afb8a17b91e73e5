"""Learning a strategy by self-play, and exporting it. Needs the extra `train`."""

from training.config import Config, ConfigError
from training.onnx_export import export
from training.run_directory import RunDirectory
from training.runs import resume, train

__all__ = ["Config", "ConfigError", "RunDirectory", "export", "resume", "train"]
